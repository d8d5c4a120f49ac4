// What sharing needs of this program: sockets, certificates, the announcement on the network. Knows no settings.
import type { RequestListener } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { listen } from '../api/http-server.ts';
import type { SharingHost } from '../services/sharing/sharing.ts';
import type { LocalAuthority } from './local-authority.ts';

/** @param application what the shared sockets serve, the same as the machine's own */
export function sharingHost(application: RequestListener, dataDir: string): SharingHost {
  let opened: Promise<LocalAuthority> | undefined;
  /** Loaded when it is first asked for: certificates are a fifth of the modules of a server, and most share nothing. */
  const authority = (): Promise<LocalAuthority> => {
    opened ??= import('./local-authority.ts').then((module) => new module.LocalAuthority(join(dataDir, 'keys')));
    return opened;
  };
  return {
    listen: (address, port, identity) => listen(application, address, port, identity),
    identity: async (names) => (await authority()).serverCertificate(names),
    authority: async (names) => (await authority()).state(names),
    replaceAuthority: async (names) => (await authority()).replace(names),
    async announce(port, isTls) {
      const { Bonjour } = await import('bonjour-service');
      // Without an error handler a network that forbids multicast would end the process.
      const announcer = new Bonjour({}, () => undefined);
      announcer.publish({
        name: `APK Workstation on ${hostname()}`,
        type: isTls ? 'https' : 'http',
        port,
        // The name that the workstation answers to (RFC 6762 resolves `.local` alone).
        host: `${hostname().split('.')[0]!.toLowerCase()}.local`,
        txt: { path: '/app/' },
        probe: false,
      });
      return () =>
        new Promise((resolve) => {
          announcer.unpublishAll(() => {
            announcer.destroy();
            resolve();
          });
        });
    },
  };
}
