import { createContext, use, useEffect, useSyncExternalStore } from 'react';
import type { AroundNavHandler } from 'wouter';

/** The editors on the page with unsaved changes. */
const editors = new Set<symbol>();

/** Whether anything on the page is unsaved. */
export const hasUnsaved = (): boolean => editors.size > 0;

/** The navigation or closing held because of unsaved changes; null: none. */
let held: (() => void) | null = null;
const listeners = new Set<() => void>();

function hold(leave: (() => void) | null): void {
  held = leave;
  for (const listener of listeners) listener();
}

/** The editors with unsaved changes in the dialog around a component; null: it is not in a dialog. */
export const EditorsInDialog = createContext<Set<symbol> | null>(null);

/** Asks before unsaved changes are lost by closing the page or the dialog around them, or by leaving the view. */
export function useUnsaved(isUnsaved: boolean): void {
  const inDialog = use(EditorsInDialog);
  useEffect(() => {
    if (!isUnsaved) return;
    const editor = Symbol('editor');
    editors.add(editor);
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
  }, [isUnsaved, inDialog]);
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
