import { createContext, use, useEffect, useSyncExternalStore } from 'react';
import type { AroundNavHandler } from 'wouter';

/** What is lost with an editor: changes, or a secret that cannot be shown again. */
type Unsaved = 'changes' | 'secret';

/** The editors on the page with something unsaved. */
const editors = new Map<symbol, Unsaved>();

/** Whether anything on the page is unsaved. */
export const hasUnsaved = (): boolean => editors.size > 0;

/** Says what leaving the page loses. */
export function describeUnsaved(): { readonly note: string; readonly discard: string } {
  return [...editors.values()].includes('secret')
    ? { note: 'The secret is shown only once.', discard: 'Discard the secret' }
    : { note: 'Your changes are not saved yet.', discard: 'Discard changes' };
}

/** The navigation or closing held because of unsaved changes; null: none. */
let held: (() => void) | null = null;
const listeners = new Set<() => void>();

function hold(leave: (() => void) | null): void {
  held = leave;
  for (const listener of listeners) listener();
}

/** The editors with unsaved changes in the dialog around a component; null: it is not in a dialog. */
export const EditorsInDialog = createContext<Set<symbol> | null>(null);

/** Asks before something unsaved is lost by closing the page or the dialog around it, or by leaving the view. */
export function useUnsaved(isUnsaved: boolean, what: Unsaved = 'changes'): void {
  const inDialog = use(EditorsInDialog);
  useEffect(() => {
    if (!isUnsaved) return;
    const editor = Symbol('editor');
    editors.set(editor, what);
    inDialog?.add(editor);
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    const stopTraversals = holdTraversals();
    return () => {
      editors.delete(editor);
      inDialog?.delete(editor);
      window.removeEventListener('beforeunload', ask);
      stopTraversals();
    };
  }, [isUnsaved, what, inDialog]);
}

/**
 * Holds navigation to another view while there are unsaved changes. Changes of only the query, and redirects after a
 * finished action, pass.
 */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  const staysHere = /^[?#]/.test(to) || options?.replace === true;
  if (!hasUnsaved() || staysHere) navigate(to, options);
  else hold(() => navigate(to, options));
};

/** Closes a dialog, or holds that while it has unsaved changes. */
export function askBeforeClosing(inDialog: ReadonlySet<symbol>, close: () => void): void {
  if (inDialog.size === 0) close();
  else hold(close);
}

/** Holds Back and Forward, which the router sees only afterwards. Browsers without the Navigation API let them pass. */
function holdTraversals(): () => void {
  const { navigation } = window as { readonly navigation?: Navigation };
  if (navigation === undefined) return () => undefined;
  let isLeaving = false;
  const onNavigate = (event: NavigateEvent): void => {
    const { navigationType, cancelable, destination } = event;
    if (navigationType !== 'traverse' || !cancelable || isLeaving || !destination.sameDocument) return;
    if (new URL(destination.url).pathname === window.location.pathname) return;
    event.preventDefault();
    hold(() => {
      isLeaving = true;
      navigation.traverseTo(destination.key);
    });
  };
  navigation.addEventListener('navigate', onNavigate);
  return () => navigation.removeEventListener('navigate', onNavigate);
}

interface Held {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** Returns the navigation or closing that waits for an answer, or null. */
export function useHeldNavigation(): Held | null {
  const leave = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => held,
  );
  if (leave === null) return null;
  return {
    leave: () => {
      hold(null);
      leave();
    },
    stay: () => hold(null),
  };
}
