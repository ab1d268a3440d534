import { Modal, type ModalProps } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState, type ReactElement } from 'react';
import { askBeforeClosing, EditorsInDialog } from './unsaved.js';

interface DialogProps extends Omit<ModalProps, 'opened'> {
  /** Its content is large: on a phone, it fills the screen. */
  readonly isLarge?: boolean;
  /** Only its own buttons close it: a click outside must not lose the secret. */
  readonly holdsSecret?: boolean;
}

/** The open dialogs, the uppermost last. */
const open: symbol[] = [];

/**
 * A dialog that is mounted only while it is open. When it unmounts, it returns the focus to the element that opened it:
 * Mantine only does so for dialogs that stay mounted. If that element is gone, for instance with the row of a deleted
 * resource, the heading of the view takes the focus. Escape, the X and a click outside ask before unsaved changes are
 * lost.
 */
export function Dialog(props: DialogProps): ReactElement {
  const { onClose, isLarge = false, holdsSecret = false, ...rest } = props;
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [self] = useState(() => Symbol('dialog'));
  const [editors] = useState(() => new Set<symbol>());
  useEffect(() => {
    open.push(self);
    return () => void open.splice(open.indexOf(self), 1);
  }, [self]);
  // Mantine passes Escape to every open dialog.
  const close = (): void => {
    if (open.at(-1) === self) askBeforeClosing(editors, onClose);
  };
  const [opener] = useState(() => findOpener(document.activeElement));
  useEffect(
    () => () => {
      // Wait until its content is gone, and keep the focus if something else took it.
      setTimeout(() => {
        if (document.activeElement === document.body) returnFocus(opener);
      });
    },
    [opener],
  );
  return (
    <EditorsInDialog value={editors}>
      <Modal
        opened
        onClose={close}
        closeOnClickOutside={!holdsSecret}
        closeOnEscape={!holdsSecret}
        withCloseButton={!holdsSecret}
        {...(isLarge && { size: 'min(1000px, 92vw)', fullScreen: isPhone })}
        {...rest}
      />
    </EditorsInDialog>
  );
}

/** Focuses the opener, or the heading of the view if it is gone or vanishes while it has the focus. */
function returnFocus(opener: HTMLElement | null): void {
  const isGone = (): boolean => opener?.isConnected !== true;
  const focusHeading = (): void =>
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  if (isGone()) {
    focusHeading();
    return;
  }
  opener?.focus({ preventScroll: true });
  const observer = new MutationObserver(() => {
    if (document.activeElement === opener) return;
    observer.disconnect();
    if (isGone() && document.activeElement === document.body) focusHeading();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/** Returns the element to refocus; for a menu entry, which disappears, the button of the menu. */
function findOpener(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')?.id;
  const opener =
    menu === undefined ? element : document.querySelector(`[aria-controls="${CSS.escape(menu)}"]`);
  return opener instanceof HTMLElement ? opener : null;
}
