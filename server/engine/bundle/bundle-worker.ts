// Entry point of a process that opens ZIP files of APKs and passes their files out over the line. Knows nothing of what is in
// those files.
import type { BundleReply, BundleRequest } from '../../contract/process-line/bundles.ts';
import { bundleReplyLimits, bundleRequestLimits, maxFailureText } from '../../contract/process-line/limits.ts';
import { receivedMessages, sendMessage } from '../line.ts';
import { BundleReader } from './bundle-reader.ts';

const bundle = new BundleReader();
const reply = (message: BundleReply): void => sendMessage(message, bundleReplyLimits);

function sendPieces(bytes: Uint8Array<ArrayBuffer>): void {
  for (let start = 0; start < bytes.length; start += bundleReplyLimits.attached) {
    reply({ type: 'bytes', bytes: bytes.subarray(start, start + bundleReplyLimits.attached) });
  }
}

async function answer(request: BundleRequest): Promise<void> {
  try {
    if (request.type === 'open') reply({ type: 'opened', entries: await bundle.open(request.path) });
    else {
      await bundle.read(request.index, request.maxBytes, sendPieces);
      reply({ type: 'sent' });
    }
  } catch (error) {
    reply({ type: 'failed', message: (error as Error).message.slice(0, maxFailureText) });
  }
}

for await (const request of receivedMessages(bundleRequestLimits)) await answer(request as BundleRequest);
process.exit(0);
