import { useEffect, useState, type ReactElement } from 'react';
import { useConnection } from '../live/live.js';
import { Notice } from '../parts/messages/notice.js';

/** Milliseconds. Shorter disconnections are not shown. */
const bearableMs = 4_000;

/** Shows that the service does not respond. Loaded content stays visible below. */
export function AwayBanner(): ReactElement | null {
  const connection = useConnection();
  const [isLong, setIsLong] = useState(false);
  const isOpen = connection === 'open';
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => setIsLong(true), bearableMs);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isOpen]);
  if (isOpen || !isLong) return null;
  return (
    <Notice tone="amber" title="The service does not answer" role="status">
      The page may be out of date. It reconnects automatically.
    </Notice>
  );
}
