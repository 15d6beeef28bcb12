// The function `t` for the texts of the practice exam, and for those of the subject exam. It knows only these
// catalogues.

import { catalogue } from "../../../../pages/static/ground/texts.js";
import { t as shared } from "../words.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") }, shared);
