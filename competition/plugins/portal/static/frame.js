// The frame of the portal. The page of an exam has a bar of its own instead, and has to stay small. So the frame
// imports no navigation: it loads `around.js` with the first page that needs one.

import { h, useEffect, useState } from "../../pages/static/ground/html.js";
import { insist, usePlace } from "../../pages/static/ground/router.js";
import * as session from "../../pages/static/ground/session.js";
import { Failed, Loading } from "../../pages/static/pieces/states.js";
import { forgetImages } from "./storages.js";

/** @import { Children } from "../../pages/static/ground/html.js" */

const load = () => import("./around.js");

/** @param {{ children?: Children }} props */
export function PortalFrame({ children }) {
  const { route } = usePlace();
  const [found, set] = useState(/** @type {Awaited<ReturnType<typeof load>> | null} */ (null));
  const [error, fail] = useState(/** @type {unknown} */ (null));
  const isNeeded = !route?.stays;
  useEffect(() => {
    const stop = session.onSession((change) => change === "signed out" && void forgetImages());
    return () => void stop();
  }, []);
  useEffect(() => {
    if (isNeeded) insist(load).then(set, fail);
  }, [isNeeded]);
  if (!isNeeded) return children;
  if (error) return h(Failed, { error, again: () => location.reload() });
  return found ? h(found.Around, {}, children) : h(Loading, {});
}
