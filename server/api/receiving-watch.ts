// Breaks off an upload that is slower than any honest link. Knows nothing of what is sent.
import type { Request } from 'express';

/** Bytes a second on average: a telephone at the edge of its network sends more. */
const leastRate = 2048;
/** Milliseconds that a sender may be behind it: links drop out and come back. */
const patience = 30_000;
/** How often it is looked at, in milliseconds. */
const interval = 1_000;

/**
 * Watches what arrives on the connection of a request until the request is whole, or the watch is ended.
 * @param isWanted whether somebody waits for bytes now: the time in which nobody reads is not the sender's fault
 * @param onTooSlow called once
 * @returns how to end the watch
 */
export function watchReceiving(request: Request, isWanted: () => boolean, onTooSlow: () => void): () => void {
  const { socket } = request;
  let before = socket.bytesRead;
  let credit = patience;
  const timer = setInterval(() => {
    const { bytesRead } = socket;
    credit = Math.min(patience, credit + (1000 * (bytesRead - before)) / leastRate);
    before = bytesRead;
    if (request.complete) clearInterval(timer);
    // Counted by checks, not by the clock: while this process was busy it read nothing that may have come.
    else if (isWanted()) credit -= interval;
    if (credit >= 0 || request.complete) return;
    clearInterval(timer);
    onTooSlow();
  }, interval);
  return () => clearInterval(timer);
}
