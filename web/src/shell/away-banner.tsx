import { useEffect, useState, type ReactElement } from 'react';
import { useConnection } from '../live/live.js';
import { Notice } from '../parts/messages/notice.js';

/** Milliseconds. Shorter disconnections are not shown. */
const bearableMs = 4_000;

/** Shows that the service does not respond, or refuses live updates. Loaded content stays visible below. */
export function AwayBanner(): ReactElement | null {
  const { state, refusal } = useConnection();
  const [isLong, setIsLong] = useState(false);
  const isOpen = state === 'open';
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => setIsLong(true), bearableMs);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isOpen]);
  if (isOpen || !isLong) return null;
  if (refusal !== null)
    return (
      <Notice tone="amber" title="Live updates are refused" role="status">
        {refusal} Until live updates work again, changes appear within half a minute.
      </Notice>
    );
  return (
    <Notice tone="amber" title="The service does not answer" role="status">
      The page may be out of date. It reconnects automatically.
    </Notice>
  );
}
