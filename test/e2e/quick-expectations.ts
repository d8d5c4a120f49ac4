// Spares pages what Playwright does each time that an expectation does not hold yet. Knows nothing of what is expected.
import type { Page } from '@playwright/test';

/** Playwright's own side of a page, as far as it is changed. */
interface ServerFrame {
  mainContext(): Promise<object>;
}

interface Injected {
  evaluate(change: (injected: { ariaSnapshotForExpectFailure(): string }) => void): Promise<void>;
}

interface ExecutionContext {
  injectedScript(): Promise<Injected>;
}

const quick = new WeakSet<object>();

/**
 * Whenever an expectation is not met yet, Playwright describes the whole page as screen readers see it, should this be the
 * last time that it looks: a tenth of what the renderer does. Failures are told without.
 */
export async function expectQuickly(page: Page): Promise<void> {
  const { _connection } = page as unknown as { _connection: { toImpl(object: unknown): ServerFrame } };
  const context = await _connection.toImpl(page.mainFrame()).mainContext();
  const prototype = Object.getPrototypeOf(context) as ExecutionContext;
  if (quick.has(prototype)) return;
  quick.add(prototype);
  const { injectedScript } = prototype;
  const changed = new WeakMap<ExecutionContext, Promise<Injected>>();
  prototype.injectedScript = function () {
    let injected = changed.get(this);
    if (injected === undefined) {
      injected = injectedScript.call(this).then(async (script) => {
        await script.evaluate((own) => {
          own.ariaSnapshotForExpectFailure = () => '';
        });
        return script;
      });
      changed.set(this, injected);
    }
    return injected;
  };
}
