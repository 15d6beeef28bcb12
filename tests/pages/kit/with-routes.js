// A module of a plugin whose default export still has routes.

export default { routes: [], todos: {} };
