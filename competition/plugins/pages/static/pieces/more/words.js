// The function `t` for the texts of those shared pieces that the page of an exam does not load: lists, charts, and
// fields for dates and files. It knows only its catalogue, and that of the other pieces.

import { catalogue } from "../../ground/texts.js";
import { t as shared } from "../words.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") }, shared);
