// The page that changes an advancement plan. `pieces.js` has the form, which the page of a new plan uses too.

import { h } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { address, crumbs, formValues, PlanForm, title } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/** @param {PageProps} props */
export function ChangePlan({ params }) {
  const id = Number(params.id);
  const reading = useRead(() => calls.version(id), [id]);
  return h(
    Page,
    { title: t("advancement.change"), crumbs: [...crumbs(), { href: `/console/advancement/${id}`, text: reading.value ? title(reading.value.plan) : t("advancement.plan") }] },
    loaded(reading, ({ plan, etag }) => h(PlanForm, {
      plan,
      etag,
      verb: t("advancement.save"),
      send: (body, { ifMatch }) => calls.change(id, body, ifMatch),
      reread: async () => {
        const now = await calls.version(id);
        return { values: formValues(now.plan), etag: now.etag };
      },
      done: async () => {
        await go(address(plan));
        notice({ text: t("advancement.saved") });
      },
    })),
  );
}
