// What the two pages of certificates share. It knows only the fields of a user.

export const nameOf = ({ first_name, last_name }) => `${first_name} ${last_name}`;
