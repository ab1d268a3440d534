import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';

/**
 * A dialog that is there only while it is open. When it goes, the focus is given back to what opened it: Mantine does
 * so only for one that stays and is closed.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>): ReactElement {
  const [opener] = useState(() => findOpener(document.activeElement));
  useEffect(
    () => () => {
      // Once what it held is gone, and unless something else took the focus.
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
      });
    },
    [opener],
  );
  return <Modal opened {...props} />;
}

/** The element to refocus; for a menu entry, which disappears, the button of the menu. */
function findOpener(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')?.id;
  const opener =
    menu === undefined ? element : document.querySelector(`[aria-controls="${CSS.escape(menu)}"]`);
  return opener instanceof HTMLElement ? opener : null;
}
