// Entry point of a process that opens archives of APKs and passes their apps out over the line. Knows nothing of what is in those
// apps.
import type { BundleReply, BundleRequest } from '../../contract/process-line/bundles.ts';
import { bundleReplyLimits, bundleRequestLimits, maxFailureText } from '../../contract/process-line/limits.ts';
import { receivedMessages, sendMessage } from '../line.ts';
import { ArchiveStack } from './archive-stack.ts';

const archives = new ArchiveStack();
const reply = (message: BundleReply): void => sendMessage(message, bundleReplyLimits);

function sendPieces(bytes: Uint8Array<ArrayBuffer>): void {
  for (let start = 0; start < bytes.length; start += bundleReplyLimits.attached) {
    reply({ type: 'bytes', bytes: bytes.subarray(start, start + bundleReplyLimits.attached) });
  }
}

async function answer(request: BundleRequest): Promise<BundleReply> {
  if (request.type === 'open') {
    return { type: 'opened', entries: [...(await archives.open(request.path, request.passwords))] };
  }
  if (request.type === 'leave') {
    archives.leave();
    return { type: 'sent' };
  }
  const entered = await archives.send(request.index, request.maxBytes, sendPieces);
  return entered === null ? { type: 'sent' } : { type: 'opened', entries: [...entered] };
}

for await (const request of receivedMessages(bundleRequestLimits)) {
  try {
    reply(await answer(request as BundleRequest));
  } catch (error) {
    // Its memory may be in any state; whoever asks starts another process.
    if (error instanceof WebAssembly.RuntimeError) process.exit(1);
    reply({ type: 'failed', message: (error as Error).message.slice(0, maxFailureText) });
  }
}
process.exit(0);
