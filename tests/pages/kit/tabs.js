// Several tabs of one browser, in one document. Each has its own copy of a module, and its own locks and channels:
//
//     const browser = new Browser();
//     const first = await browser.tab("session.js");
//     await first.run(({ begin }) => begin({ … }));
//     first.close();
//
// A message for another tab arrives after all promises that are settled now, also while the clock stands still. All
// tabs have the storage of the document.

const FOLDER = "../../../competition/plugins/pages/static/ground";

let opened = 0;

export class Browser {
  /** @type {Tab[]} */
  tabs = [];
  /** @type {Map<string, Lock[]>} The locks that are held or wanted, by their names, in the order of the requests. */
  locks = new Map();

  /**
   * Open a tab, with a copy of a module of the folder `ground`.
   *
   * @param {string} module
   */
  async tab(module) {
    const tab = new Tab(this);
    this.tabs.push(tab);
    tab.enter();
    tab.module = await import(`${FOLDER}/${module}?tab=${++opened}`);
    return tab;
  }

  /** Give locks to those who may have them now. */
  grant() {
    for (const all of this.locks.values()) {
      for (const [at, each] of all.entries()) {
        if (all.slice(0, at).some((before) => !(before.shared && each.shared))) break;
        each.give();
      }
    }
  }
}

class Tab {
  /** @param {Browser} browser */
  constructor(browser) {
    this.browser = browser;
    /** @type {any} */
    this.module = null;
    /** @type {Channel[]} */
    this.channels = [];
    this.isFrozen = false;
    /** @type {(() => void)[]} What has arrived while the tab is frozen. */
    this.missed = [];
  }

  /**
   * Call a function with the module of the tab. What the module creates before it waits belongs to the tab.
   *
   * @template T
   * @param {(module: any) => T} act
   */
  run(act) {
    this.enter();
    return act(this.module);
  }

  enter() {
    const { browser } = this;
    const tab = this;
    globalThis.BroadcastChannel = /** @type {any} */ (
      class extends Channel {
        /** @param {string} name */
        constructor(name) {
          super(name, tab);
        }
      }
    );
    const locks = {
      /** @param {string} name @param {...any} rest */
      request(name, ...rest) {
        const [act, options] = [rest.at(-1), rest.length > 1 ? rest[0] : {}];
        const lock = new Lock(tab, options.mode === "shared", act);
        browser.locks.set(name, [...(browser.locks.get(name) ?? []), lock]);
        const release = () => tab.release(lock);
        const done = lock.given.then(act).finally(release);
        options.signal?.addEventListener("abort", release);
        queueMicrotask(() => browser.grant());
        return done;
      },
      async query() {
        // The browser handles the requests for locks in their order.
        await null;
        const held = [...browser.locks].flatMap(([name, all]) => all.filter((each) => each.isHeld).map(() => ({ name })));
        return { held };
      },
    };
    Object.defineProperty(navigator, "locks", { configurable: true, value: locks });
  }

  /** @param {Lock} lock */
  release(lock) {
    const { locks } = this.browser;
    for (const [name, all] of locks) locks.set(name, all.filter((each) => each !== lock));
    this.browser.grant();
  }

  /** Close the tab: it gets no message any more, and its locks are free. */
  close() {
    const { browser } = this;
    for (const each of this.channels) each.close();
    browser.tabs = browser.tabs.filter((each) => each !== this);
    for (const [name, all] of browser.locks) browser.locks.set(name, all.filter((each) => each.tab !== this));
    browser.grant();
  }

  /** Nothing arrives in the tab until `thaw`. */
  freeze() {
    this.isFrozen = true;
  }

  thaw() {
    this.isFrozen = false;
    for (const each of this.missed.splice(0)) each();
  }
}

class Lock {
  isHeld = false;

  /**
   * @param {Tab} tab
   * @param {boolean} shared
   * @param {() => unknown} act
   */
  constructor(tab, shared, act) {
    this.tab = tab;
    this.shared = shared;
    this.act = act;
    /** @type {() => void} */
    this.grant = () => {};
    this.given = new Promise((resolve) => {
      this.grant = () => resolve(null);
    });
  }

  give() {
    this.isHeld = true;
    this.grant();
  }
}

class Channel extends EventTarget {
  /** @type {((event: MessageEvent) => void) | null} */
  onmessage = null;

  /**
   * @param {string} name
   * @param {Tab} tab
   */
  constructor(name, tab) {
    super();
    this.name = name;
    this.tab = tab;
    tab.channels.push(this);
  }

  /** @param {unknown} data */
  postMessage(data) {
    if (!this.tab.channels.includes(this)) throw new DOMException("The channel is closed.", "InvalidStateError");
    const others = this.tab.browser.tabs.filter((each) => each !== this.tab);
    for (const each of others.flatMap((tab) => tab.channels)) {
      if (each.name !== this.name) continue;
      const copy = structuredClone(data);
      const arrive = () => each.arrive(copy);
      queueMicrotask(() => (each.tab.isFrozen ? each.tab.missed.push(arrive) : arrive()));
    }
  }

  /** @param {unknown} data */
  arrive(data) {
    const event = new MessageEvent("message", { data });
    this.onmessage?.(event);
    this.dispatchEvent(event);
  }

  close() {
    this.tab.channels = this.tab.channels.filter((each) => each !== this);
  }
}
