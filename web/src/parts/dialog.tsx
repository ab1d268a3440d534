import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';

/**
 * A dialog that is mounted only while it is open. When it unmounts, it returns the focus to the element that opened it:
 * Mantine only does so for dialogs that stay mounted.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>): ReactElement {
  const [opener] = useState(() => findOpener(document.activeElement));
  useEffect(
    () => () => {
      // Wait until its content is gone, and keep the focus if something else took it.
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
      });
    },
    [opener],
  );
  return <Modal opened {...props} />;
}

/** Returns the element to refocus; for a menu entry, which disappears, the button of the menu. */
function findOpener(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')?.id;
  const opener =
    menu === undefined ? element : document.querySelector(`[aria-controls="${CSS.escape(menu)}"]`);
  return opener instanceof HTMLElement ? opener : null;
}
