// Names and notes on the code of an APK: what was given, what is given now, mapping files, offers. Knows no screen.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { MappingFormat } from '../../server/contract/catalogue/code-name.ts';
import { ask, askBytes, type BodyOf } from './client.ts';
import { askAnew, toldByForm, useCursorList } from './query-client.ts';

type NewCodeName = BodyOf<'PUT /apks/<sha256>/code/names/'>;

const namesKey = (sha256: string) => ['code-names', sha256] as const;

/** Has everything asked for anew that shows the code of an APK. */
export const codeChanged = (sha256: string) =>
  askAnew(
    namesKey(sha256),
    ...['class', 'java', 'java-search', 'code/classes/', 'code-search'].map(
      (what) => ['contents', sha256, what] as const,
    ),
  );

export const useCodeNames = (sha256: string, q: string) =>
  useCursorList([...namesKey(sha256), 'list', q], ({ query, signal }) =>
    ask('GET /apks/<sha256>/code/names/', { sha256, query: { ...query, q }, signal }),
  );

/** What was said of one thing. */
export const useCodeName = (sha256: string, { kind = 'name', symbol, address = null }: Omit<NewCodeName, 'text'>) =>
  useQuery({
    queryKey: [...namesKey(sha256), 'of', kind, symbol, address],
    queryFn: async ({ signal }) => {
      const query = { symbol, kind, page_size: 100 };
      const { results } = await ask('GET /apks/<sha256>/code/names/', { sha256, query, signal });
      return results.find((one) => one.address === address) ?? null;
    },
  });

/** Says something of the code; an empty text takes it back. */
export const useSayCodeName = (sha256: string) =>
  useMutation({
    mutationFn: (body: NewCodeName) => ask('PUT /apks/<sha256>/code/names/', { sha256, body }),
    onSuccess: () => void codeChanged(sha256),
    meta: toldByForm,
  });

export const useRemoveCodeName = (sha256: string) =>
  useMutation({
    mutationFn: (id: string) => ask('DELETE /apks/<sha256>/code/names/<id>/', { sha256, id }),
    onSuccess: () => codeChanged(sha256),
  });

export const useImportMapping = (sha256: string) =>
  useMutation({
    mutationFn: (mapping: string) => ask('POST /apks/<sha256>/code/names/mapping/', { sha256, body: { mapping } }),
    onSuccess: () => codeChanged(sha256),
  });

/** @param derived with the readable names of what is called by no word */
export const mappingOf = async (sha256: string, format: MappingFormat, derived: boolean) =>
  (await askBytes('GET /apks/<sha256>/code/names/mapping/', { sha256, query: { format, derived } })).bytes;

/** Names of equal classes of other APKs: for one class, or for all. */
export const useCodeNameOffers = (sha256: string, of: { class?: string; dex?: string } = {}) =>
  useQuery({
    queryKey: [...namesKey(sha256), 'offers', of.class, of.dex],
    queryFn: ({ signal }) => ask('GET /apks/<sha256>/code/names/offers/', { sha256, query: of, signal }),
  });

export const useAcceptOffers = (sha256: string) =>
  useMutation({
    mutationFn: (body: BodyOf<'POST /apks/<sha256>/code/names/offers/'>) =>
      ask('POST /apks/<sha256>/code/names/offers/', { sha256, body }),
    onSuccess: () => codeChanged(sha256),
  });

/** Whether what is called by no word is shown with readable names. */
export const useDeobfuscation = (sha256: string) =>
  useQuery({
    queryKey: [...namesKey(sha256), 'deobfuscation'],
    queryFn: ({ signal }) => ask('GET /apks/<sha256>/code/deobfuscation/', { sha256, signal }),
  });

export const useDeobfuscate = (sha256: string) =>
  useMutation({
    mutationFn: (isOn: boolean) => ask('PUT /apks/<sha256>/code/deobfuscation/', { sha256, body: { is_on: isOn } }),
    onSuccess: () => codeChanged(sha256),
  });
