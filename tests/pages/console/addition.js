// A module of another plugin.

export default {
  navigation: [
    { href: "/console/imports", text: () => "Imports", from: "moderator", group: "people" },
    { href: "/console/secrets", text: "Secrets", from: "superadmin" },
  ],
};
