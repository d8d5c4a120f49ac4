// Proxies and cookies as java.net lets apps ask for them: there is no proxy, and no cookie is kept. Knows no connections.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { enumModel } from '../lang/enum.ts';
import { newList } from '../util/iteration.ts';
import { instance, made, type Reference } from '../values.ts';

const N = 'Ljava/net/';
const PROXY = `${N}Proxy;`;
const TYPE = `${N}Proxy$Type;`;
const SELECTOR = `${N}ProxySelector;`;
const ADDRESS = `${N}SocketAddress;`;

interface ProxyState {
  readonly type: HeapObject;
  readonly address: Reference;
}

const proxy = (self: HeapObject): ProxyState => self.native as ProxyState;
const nothing = (): undefined => undefined;
const select = `select(${N}URI;)Ljava/util/List;`;

const noProxy = (machine: Machine): HeapObject =>
  instance(machine, PROXY, {
    type: machine.getStatic(TYPE, 'DIRECT') as HeapObject,
    address: null,
  } satisfies ProxyState);

export const proxyModels: Record<string, ModelClass> = {
  [TYPE]: enumModel(TYPE, ['DIRECT', 'HTTP', 'SOCKS']),
  [PROXY]: {
    methods: {
      [`<init>(!${TYPE}${ADDRESS})V`]: made(
        (_machine, type: HeapObject, address: Reference) => ({ type, address }) satisfies ProxyState,
      ),
      [`type()${TYPE}`]: (_machine, self) => proxy(self).type,
      [`address()${ADDRESS}`]: (_machine, self) => proxy(self).address,
    },
    constants: { [`NO_PROXY:${PROXY}`]: noProxy },
  },
  [SELECTOR]: {
    isAbstract: true,
    methods: { '<init>()V': nothing },
    staticMethods: {
      [`getDefault()${SELECTOR}`]: (machine) => machine.allocate(`${N}DirectProxySelector;`),
      [`setDefault(${SELECTOR})V`]: nothing,
    },
  },
  [`${N}DirectProxySelector;`]: {
    extends: SELECTOR,
    methods: {
      [select]: (machine) => newList(machine, [machine.getStatic(PROXY, 'NO_PROXY') as HeapObject]),
      [`connectFailed(${N}URI;${ADDRESS}Ljava/io/IOException;)V`]: nothing,
    },
  },
  [`${N}CookieHandler;`]: {
    methods: { '<init>()V': nothing },
    staticMethods: { [`setDefault(${N}CookieHandler;)V`]: nothing, [`getDefault()${N}CookieHandler;`]: () => null },
  },
  [`${N}CookieManager;`]: {
    extends: `${N}CookieHandler;`,
    methods: {
      '<init>()V': nothing,
      [`<init>(${N}CookieStore;${N}CookiePolicy;)V`]: nothing,
      [`setCookiePolicy(${N}CookiePolicy;)V`]: nothing,
    },
  },
};
