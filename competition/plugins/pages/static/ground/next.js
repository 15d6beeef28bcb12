// The page to open after signing in, from the parameter `next` of the sign-in page's address. This module depends on
// no front-end, and does not know whether the user is signed in.

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
