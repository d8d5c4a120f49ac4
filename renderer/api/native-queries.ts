// Questions about native libraries of one APK: their functions, their code, what they are to Java. Knows no screen.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useOffsetList } from './apk-queries.ts';
import { ask } from './client.ts';
import { fixed } from './query-client.ts';

/** More than these are no list one reads without a filter. */
const functionsShown = 2000;
const pageSize = 500;

export const useNativeFunctions = (sha256: string, path: string, search: string, jni: boolean) =>
  useQuery({
    queryKey: ['contents', sha256, 'native-functions', path, search, jni],
    queryFn: ({ signal }) =>
      ask('GET /apks/<sha256>/native/functions/', {
        sha256,
        query: { path, search, jni, limit: functionsShown },
        signal,
      }),
    placeholderData: (known) => known,
    retry: false,
    ...fixed,
  });

export const useNativeCode = (sha256: string, path: string, address: number | null) =>
  useInfiniteQuery({
    queryKey: ['contents', sha256, 'native-code', path, address],
    queryFn: ({ pageParam, signal }) =>
      ask('GET /apks/<sha256>/native/code/', { sha256, query: { path, address: pageParam, limit: pageSize }, signal }),
    initialPageParam: address ?? 0,
    getNextPageParam: ({ next }) => next,
    enabled: address !== null,
    retry: false,
    ...fixed,
  });

/** What implements native methods of a class; asked for once it has some. */
export const useNativeMethods = (sha256: string, name: string, isWanted: boolean) =>
  useQuery({
    queryKey: ['contents', sha256, 'native-methods', name],
    queryFn: ({ signal }) => ask('GET /apks/<sha256>/native/methods/', { sha256, query: { class: name }, signal }),
    enabled: isWanted,
    retry: false,
    ...fixed,
  });

/** Code of other runtimes that the app carries. */
export const useBundles = (sha256: string) =>
  useQuery({
    queryKey: ['contents', sha256, 'bundles'],
    queryFn: ({ signal }) => ask('GET /apks/<sha256>/native/bundles/', { sha256, signal }),
    retry: false,
    ...fixed,
  });

export const useBundleStrings = (sha256: string, path: string, search: string) =>
  useOffsetList(['contents', sha256, 'bundle-strings', path, search], (page, signal) =>
    ask('GET /apks/<sha256>/native/bundles/strings/', { sha256, query: { ...page, path, search }, signal }),
  );
