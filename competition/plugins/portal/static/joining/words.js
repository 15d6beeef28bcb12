// The texts of the subject joining.

import { catalogue } from "../../../pages/static/ground/texts.js";

export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") });
