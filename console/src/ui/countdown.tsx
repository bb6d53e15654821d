import { useEffect, useState } from 'preact/hooks';
import { timeLeft } from '../format/format.ts';

/** The time left until an instant, updated each second. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <time dateTime={until}>{timeLeft(Date.parse(until) - now)}</time>;
}
