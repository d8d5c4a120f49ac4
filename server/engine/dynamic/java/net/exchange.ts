// The state of one HTTP exchange of an URLConnection. Knows no network.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { HttpResponse } from '../virtual-network.ts';

export interface Exchange {
  readonly url: HeapObject;
  method: string;
  headers: [string, string][];
  headerTaint: Taint;
  body: Uint8Array[];
  bodyTaint: Taint;
  response: HttpResponse | null;
  doesOutput: boolean;
  followsRedirects: boolean;
  inputStream: HeapObject | null;
  outputStream: HeapObject | null;
  finalUrl: string | null;
  settings: Map<string, number>;
  taint: Taint;
  /** What the app set for this connection. */
  verifier: HeapObject | null;
  socketFactory: HeapObject | null;
}

export function newExchange(url: HeapObject): Exchange {
  return {
    url,
    method: 'GET',
    headers: [],
    headerTaint: 0,
    body: [],
    bodyTaint: 0,
    response: null,
    doesOutput: false,
    followsRedirects: true,
    inputStream: null,
    outputStream: null,
    finalUrl: null,
    settings: new Map(),
    taint: 0,
    verifier: null,
    socketFactory: null,
  };
}
