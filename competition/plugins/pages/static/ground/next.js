// The page after signing in, which the address of the sign-in page names. This module knows no front-end, and not
// whether the user is signed in.

import { own } from "./router.js";

/**
 * Where to go after signing in: the page that the user wanted, if it is another page of this site.
 *
 * @param {string} home
 */
export function nextPage(home) {
  const url = own(new URLSearchParams(location.search).get("next") || home);
  return url && url.pathname !== location.pathname ? url.pathname + url.search + url.hash : home;
}
