// How this machine belongs to a workstation: joins by a code, and keeps what it got. Knows nothing of tasks.
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { joinCodeContentSchema, joinedSchema, type Versions } from '../contract/workstation/lab.ts';
import { writeDurableFile } from '../vault/durable-file.ts';
import { WorkstationClient } from './workstation-client.ts';

const membershipSchema = z.object({
  address: z.string(),
  authority: z.string().nullable(),
  token: z.string(),
  name: z.string(),
});
export type Membership = z.infer<typeof membershipSchema>;

const fileName = 'worker.json';
const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(address).hostname);

/** @throws Error where this machine has not joined */
export function readMembership(folder: string): Membership {
  try {
    return membershipSchema.parse(JSON.parse(readFileSync(join(folder, fileName), 'utf8')));
  } catch {
    throw new Error(
      `This machine belongs to no workstation yet (${folder}). Ask for a code there, Administration → Workers, and join: apk-workstation worker --join CODE`,
    );
  }
}

function readCode(code: string) {
  try {
    return joinCodeContentSchema.parse(JSON.parse(Buffer.from(code, 'base64url').toString()));
  } catch {
    throw new Error('This is no code of a workstation, or not the whole of it.');
  }
}

/** The certificate of the workstation's own authority, taken for what it is only where its fingerprint is the code's. */
async function authorityOf(address: string, fingerprint: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // Nothing is sent that anybody could use, and what comes is checked below.
  const asked = request(`${address}/ca.crt`, { rejectUnauthorized: false, timeout: 30_000 }, (response) => {
    text(response).then(resolve, reject);
  });
  asked.on('timeout', () => asked.destroy(new Error(`${address} does not answer.`)));
  asked.on('error', reject);
  asked.end();
  const pem = await promise;
  const isOurs = ((): boolean => {
    try {
      return new X509Certificate(pem).fingerprint256 === fingerprint;
    } catch {
      return false;
    }
  })();
  if (!isOurs) throw new Error(`Whoever answers at ${address} is not the workstation that made this code.`);
  return pem;
}

/** Joins the workstation that made the code, and keeps that in the folder, in the place of what was there. */
export async function joinWorkstation(
  { code, name, folder }: { code: string; name: string; folder: string },
  versions: Versions,
): Promise<Membership> {
  const { address: given, fingerprint, secret } = readCode(code);
  const address = given.replace(/\/+$/, '');
  if (address.startsWith('http:') && !isLoopback(address))
    throw new Error(
      `${address} is reached without TLS: whoever listens would read APKs. Share with TLS in the settings.`,
    );
  const authority = fingerprint === null ? null : await authorityOf(address, fingerprint);
  const client = new WorkstationClient({ address, authority, token: null });
  try {
    const sent = { method: 'POST', json: { ...versions, secret, name } };
    const { token } = joinedSchema.parse(await client.askJson('/lab/join/', sent));
    const membership = { address, authority, token, name };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeDurableFile(join(folder, fileName), Buffer.from(JSON.stringify(membership)));
    return membership;
  } finally {
    client.close();
  }
}
