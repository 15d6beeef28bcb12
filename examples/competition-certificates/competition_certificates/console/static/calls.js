// The requests of the pages of certificates. `api` has types for the endpoints of the service, and `request` takes any
// path.

import { api, request } from "../../pages/static/ground/api.js";

export const candidates = (query) => api.get("/candidates/", query);

export const candidate = (candidate_id) => api.get("/candidates/{candidate_id}/", { candidate_id, documents: false });

export const revoke = (code) => request("post", "/certificates/{code}/revoke/", { code });
