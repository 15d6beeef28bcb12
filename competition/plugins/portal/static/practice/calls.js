// The request of the check of the device. The practice exam needs none.

import { request } from "../../../pages/static/ground/api.js";

/**
 * Ask the service for its time. Returns how far this device is ahead of the service and how long the reply
 * took, both in milliseconds. The service is assumed to have read its clock halfway between request and reply.
 */
export async function askTime() {
  const before = Date.now();
  const began = performance.now();
  const { body } = await request("get", "/health/", {}, undefined, { anonymous: true, retry: false, timeout: 10_000 });
  const took = performance.now() - began;
  return { ahead: before + took / 2 - Date.parse(body.timestamp), took };
}
