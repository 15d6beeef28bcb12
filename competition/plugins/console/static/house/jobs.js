// The page of background jobs: those that have failed, and all. Failed jobs can be run again.

import { settingOf } from "../../../pages/static/ground/config.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { ActOnRows, confirmEach } from "../../../pages/static/pieces/each.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import * as calls from "./calls.js";
import { states } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Selection } from "../../../pages/static/pieces/list.js" */
/** @import { Job } from "./calls.js" */

const JOB_STATES = /** @type {const} */ ({ pending: ["", "house.pending"], running: ["info", "house.running"], done: ["ok", "house.done"], failed: ["bad", "house.jobFailed"] });

/** @param {PageProps} props */
export function Jobs({ query }) {
  const [version, change] = useState(0);
  const all = query.get("tab") === "all";
  /** @param {Job} job */
  const retry = async (job) => {
    await calls.retryJob(job.id);
    change((before) => before + 1);
    notice({ text: t("house.retried", { name: job.name }) });
  };
  /** @param {Selection<Job>} selection */
  const retryAll = async (selection) => {
    const jobs = await selection.rows();
    const tried = await confirmEach({
      title: t("house.retryThem", { count: jobs.length }),
      what: t("house.retryWhat"),
      verb: t("house.retryThem", { count: jobs.length }),
      items: jobs,
      name: (job) => job.name,
      act: (job) => calls.retryJob(job.id),
      done: (count) => t("house.retriedThem", { count }),
    });
    if (!tried) return;
    selection.clear();
    change((before) => before + 1);
  };
  return h(Page, { title: t("nav.jobs"), lead: t("house.jobsLead", { count: settingOf("jobs.attempts") }) },
    h(Tabs, { label: t("house.state"), tabs: [{ value: "failed", text: t("house.failedJobs") }, { value: "all", text: t("house.allJobs") }] }),
    list({
      ...(!all && { fixed: { state: "failed" } }),
      name: t("nav.jobs"),
      id: (job) => job.id,
      call: calls.jobs,
      version,
      empty: all ? t("house.noJobs") : t("house.noFailedJobs", { count: settingOf("jobs.attempts") }),
      // Only failed jobs can be run again.
      select: !all && ((selection) => h(ActOnRows, { selection, act: () => retryAll(selection), text: t("house.retryThem", { count: selection.count }) })),
      filters: [{ name: "search", label: t("house.task") }, ...(all ? [{ name: "state", label: t("house.state"), options: states(JOB_STATES) }] : [])],
      columns: [
        { title: t("house.task"), cell: (job) => html`${job.name} <span class="small muted">${t("house.attempts", { count: job.attempts })}</span>` },
        { title: t("house.state"), cell: (job) => h(Tag, { kind: JOB_STATES[job.state][0] }, t(JOB_STATES[job.state][1])) },
        { title: t("house.reason"), cell: (job) => html`<span class="break">${job.last_error ?? "-"}</span>` },
        { title: t("house.at"), sort: "created_at", cell: (job) => h(When, { at: job.finished_at ?? job.created_at }) },
        { title: t("house.do"), cell: (job) => job.state === "failed" && h(Act, { act: () => retry(job) }, t("house.retry"), html` <span class="hide">${job.name}</span>`) },
      ],
    }));
}
