// What the owner's screens ask of the server and change there. Knows nothing of how answers are shown.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnalystChangesBody, ApiGroup, NewAnalystBody } from '../../server/contract/people/analyst.ts';
import type { SettingChangesBody } from '../../server/contract/workstation/settings.ts';
import { ask } from './client.ts';
import { cursorOf } from './queries.ts';

const keys = {
  settings: ['settings'] as const,
  limits: ['limits'] as const,
  sharing: ['sharing'] as const,
  invitations: ['invitations'] as const,
  isolation: ['isolation'] as const,
  storage: ['storage'] as const,
  backups: ['backups'] as const,
  audit: ['audit'] as const,
  devices: ['devices'] as const,
  signers: ['signers'] as const,
  accounts: ['accounts'] as const,
  secondFactors: ['second-factors'] as const,
};

export const useSettings = () =>
  useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => ask('GET /settings/', { signal }) });

export function useSettingChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: SettingChangesBody) => ask('PATCH /settings/', { body: changes }),
    onSuccess: (settings) => {
      client.setQueryData(keys.settings, settings);
      void client.invalidateQueries({ queryKey: keys.sharing });
      void client.invalidateQueries({ queryKey: keys.storage });
      void client.invalidateQueries({ queryKey: keys.devices });
      void client.invalidateQueries({ queryKey: ['health'] });
    },
  });
}

export const useLimits = () =>
  useQuery({ queryKey: keys.limits, queryFn: ({ signal }) => ask('GET /limits/', { signal }) });

export function useLimitChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Record<string, Record<string, string>>) => ask('PATCH /limits/', { body: changes }),
    onSuccess: (table) => client.setQueryData(keys.limits, table),
  });
}

export const useSharing = () =>
  useQuery({
    queryKey: keys.sharing,
    queryFn: ({ signal }) => ask('GET /sharing/', { signal }),
    staleTime: 0,
  });

export function useReplaceAuthority() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => ask('POST /sharing/authority/'),
    onSuccess: (sharing) => client.setQueryData(keys.sharing, sharing),
  });
}

export const useInvitations = () =>
  useQuery({ queryKey: keys.invitations, queryFn: ({ signal }) => ask('GET /invitations/', { signal }) });

export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { username: string; api_group?: ApiGroup }) => ask('POST /invitations/', { body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.invitations });
      void client.invalidateQueries({ queryKey: keys.accounts });
    },
  });
}

export function useRevokeInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask('DELETE /invitations/<id>/', { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.invitations }),
  });
}

/** Every account; a laboratory has fewer than a page holds. */
export const useAccounts = () =>
  useQuery({
    queryKey: keys.accounts,
    queryFn: ({ signal }) => ask('GET /analysts/', { query: { page_size: 100 }, signal }),
  });

export function useCreateAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewAnalystBody) => ask('POST /analysts/', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accounts }),
  });
}

export function useAccountChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ username, ...changes }: AnalystChangesBody & { username: string }) =>
      ask('PATCH /analysts/<username>/', { username, body: changes }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accounts }),
  });
}

/** Since when accounts have a second factor, by name; who is missing has none. */
export const useSecondFactors = () =>
  useQuery({
    queryKey: keys.secondFactors,
    queryFn: async ({ signal }) => {
      const { results } = await ask('GET /second_factors/', { signal });
      return new Map(results.map(({ username, confirmed_at }) => [username, confirmed_at]));
    },
    staleTime: 0,
  });

export function useSecondFactorReset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => ask('DELETE /second_factors/<username>/', { username }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.secondFactors }),
        client.invalidateQueries({ queryKey: ['second-factor'] }),
      ]),
  });
}

/** Asked again while it is measured, which takes some seconds. */
export const useIsolation = () =>
  useQuery({
    queryKey: keys.isolation,
    queryFn: ({ signal }) => ask('GET /isolation/', { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 1000 : false),
  });

export const useStorage = () =>
  useQuery({
    queryKey: keys.storage,
    queryFn: ({ signal }) => ask('GET /storage/', { signal }),
    staleTime: 0,
  });

/** Milliseconds between looks at a backup under way: it runs in a process of its own that sends no events. */
const backupInterval = 1_000;

export const useBackups = () =>
  useQuery({
    queryKey: keys.backups,
    queryFn: ({ signal }) => ask('GET /backups/', { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.run?.status === 'running' ? backupInterval : false),
  });

export function useStartBackup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { passphrase?: string; with_authority: boolean }) => ask('POST /backups/', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.backups }),
  });
}

export function useDeleteBackup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => ask('DELETE /backups/<name>/', { name }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.backups }),
  });
}

export const useSigners = (page: number) =>
  useQuery({
    queryKey: [...keys.signers, page],
    queryFn: ({ signal }) => ask('GET /signers/', { query: { page, page_size: 50 }, signal }),
    staleTime: 0,
  });

export function useSignerTrust() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ sha256, isTrusted }: { sha256: string; isTrusted: boolean }) =>
      ask('PATCH /signers/<sha256>/', { sha256, body: { is_trusted: isTrusted } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.signers });
      // Marks of many APKs have changed.
      void client.invalidateQueries({ queryKey: ['catalogue-head'] });
      void client.invalidateQueries({ queryKey: ['apk'] });
    },
  });
}

export const useDevices = () =>
  useQuery({
    queryKey: keys.devices,
    queryFn: ({ signal }) => ask('GET /devices/', { signal }),
    staleTime: 0,
  });

export const useDeviceImport = () =>
  useMutation({
    mutationFn: (serial: string) => ask('POST /devices/<serial>/import/', { serial, body: {} }),
  });

export const useAudit = (username: string) =>
  useInfiniteQuery({
    queryKey: [...keys.audit, username],
    queryFn: ({ pageParam, signal }) =>
      ask('GET /audit/', {
        query: { cursor: pageParam, page_size: 100, username: username === '' ? undefined : username },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });
