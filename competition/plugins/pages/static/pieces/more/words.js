// The texts of the shared pieces that the page of an exam does not load: lists, charts, and fields for dates and files.

import { catalogue } from "../../ground/texts.js";
import { t as shared } from "../words.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") }, shared);
