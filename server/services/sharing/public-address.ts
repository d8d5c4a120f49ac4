// Where the workstation is reached, for links outside of any request. Knows nothing of sockets.
import type { Reads } from '../../store/store.ts';
import { readSetting } from '../settings.ts';

export class PublicAddress {
  #listening = 'http://127.0.0.1';

  /** @param url where the server listens, `http://host:port` */
  announce(url: string): void {
    this.#listening = url;
  }

  /** `http://host:port` without a slash at its end: the setting, else where the server listens. */
  async baseUrl(repositories: Pick<Reads, 'settings'>): Promise<string> {
    return ((await readSetting(repositories, 'public_url')) || this.#listening).replace(/\/+$/, '');
  }
}
