// A module of another plugin.

export default {
  todos: {
    "imports.rows": { text: (/** @type {{ count: number }} */ { count }) => `Look at ${count} rows`, href: (/** @type {{ count: number }} */ { count }) => `/console/imports/${count}` },
    "imports.files": { text: (/** @type {{ count: number }} */ { count }) => `Look at ${count} files` },
  },
};
