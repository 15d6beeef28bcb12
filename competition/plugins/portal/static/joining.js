// A component that asks whether the candidate takes part in the new season, for all pages that ask this. It loads the
// question and its texts only when it is shown, so that the page of an exam need not load them.

import { h } from "../../pages/static/ground/html.js";
import { useRead } from "../../pages/static/ground/poll.js";
import { loaded as textsLoaded } from "../../pages/static/ground/texts.js";
import { loaded } from "../../pages/static/pieces/states.js";

/** @param {{ name?: string, done: () => void }} props `name` is that of the season, if the page knows it. */
export function Joining(props) {
  const reading = useRead(async () => {
    const found = await import("./joining/question.js");
    await textsLoaded();
    return found;
  }, []);
  return loaded(reading, ({ Question }) => h(Question, props));
}
