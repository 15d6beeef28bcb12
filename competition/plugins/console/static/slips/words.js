// The function `t` for the texts of the subject slips, and for those that all subjects share. It knows only these
// catalogues.

import { catalogue } from "../../../pages/static/ground/texts.js";
import { t as shared } from "../words.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") }, shared);
