// An authority's file in `keys/`: key and certificates together, so that neither is ever there without the other.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurableFile } from '../vault/durable-file.ts';

export interface Authority {
  key: KeyObject;
  certificate: X509Certificate;
  /**
   * A certificate for the same name and key by the authority before: whoever trusts only that one is served by it.
   * null where there was none.
   */
  cross: X509Certificate | null;
}

/** Names within `keys/`. `authority.crt` repeats the certificate for people and programs to read. */
const current = { key: 'authority.key', certificate: 'authority.crt' };
const former = { key: 'authority-former.key', certificate: 'authority-former.crt' };

const certificatePattern = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

export class AuthorityFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** null where there is none, or it cannot be read: then a new one is created. */
  current = (): Authority | null => this.#read(current);

  /** The authority before the current one. */
  former = (): Authority | null => this.#read(former);

  /** @param before the authority that this one follows, which is kept; null: none is */
  replace(next: Authority, before: Authority | null): void {
    if (before !== null) this.#write(former.key, textOf(before));
    this.#write(current.key, textOf(next));
    this.#write(current.certificate, pemOf(next.certificate));
    if (before === null) rmSync(join(this.#folder, former.key), { force: true });
  }

  #read(names: typeof current): Authority | null {
    const path = join(this.#folder, names.key);
    if (!existsSync(path)) return null;
    try {
      const text = readFileSync(path, 'utf8');
      const key = createPrivateKey(text);
      const found = text.match(certificatePattern);
      // Earlier versions kept the certificate in its own file alone.
      const [certificate, cross] = found ?? [readFileSync(join(this.#folder, names.certificate), 'utf8')];
      const authority = {
        key,
        certificate: new X509Certificate(certificate!),
        cross: cross === undefined ? null : new X509Certificate(cross),
      };
      return authority.certificate.checkPrivateKey(key) ? authority : null;
    } catch {
      return null;
    }
  }

  #write(name: string, text: string): void {
    writeDurableFile(join(this.#folder, name), Buffer.from(text));
  }
}

const pemOf = (certificate: X509Certificate) => `${certificate.toString().trimEnd()}\n`;

const textOf = ({ key, certificate, cross }: Authority): string =>
  [key.export({ type: 'pkcs8', format: 'pem' }) as string, pemOf(certificate), cross === null ? '' : pemOf(cross)].join(
    '',
  );
