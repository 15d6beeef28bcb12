// The function `t` for the texts of the practice exam and, through `../words.js`, for those of the page of an exam.

import { catalogue } from "../../../../pages/static/ground/texts.js";
import { t as shared } from "../words.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") }, shared);
