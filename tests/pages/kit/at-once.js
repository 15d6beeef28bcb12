// Import this before sinon. Sinon lets promises settle between two timers by `setImmediate`, which browsers lack; with
// `setTimeout` in its place, each timer would take four milliseconds.

const { port1, port2 } = new MessageChannel();
/** @type {(() => void)[]} */
const waiting = [];
port1.onmessage = () => waiting.shift()?.();

/** @type {any} */ (globalThis).setImmediate = (/** @type {() => void} */ act) => {
  waiting.push(act);
  port2.postMessage(null);
};
