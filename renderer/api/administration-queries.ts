// What the owner's screens ask of the server and change there. Knows nothing of how answers are shown.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Analyst, AnalystChangesBody, CreatedAnalyst, NewAnalystBody } from '../../server/contract/analyst.ts';
import type { AuditRecordBody } from '../../server/contract/audit.ts';
import type { deviceListSchema } from '../../server/contract/device.ts';
import type { IsolationReport } from '../../server/contract/isolation.ts';
import type { Job } from '../../server/contract/job.ts';
import type { Page } from '../../server/contract/list.ts';
import type { SecondFactorList } from '../../server/contract/second-factor.ts';
import type { LimitTable, SettingChangesBody } from '../../server/contract/settings.ts';
import type { createdInvitationSchema, invitationListSchema, SharingBody } from '../../server/contract/sharing.ts';
import type { backupListSchema, backupRunSchema, storageSchema } from '../../server/contract/storage.ts';
import { ask, request } from './client.ts';
import { cursorOf } from './queries.ts';

export type Invitations = z.infer<typeof invitationListSchema>;
export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;
export type StorageBody = z.infer<typeof storageSchema>;
export type BackupList = z.infer<typeof backupListSchema>;

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
  useQuery({ queryKey: keys.limits, queryFn: ({ signal }) => request<LimitTable>('/limits/', { signal }) });

export function useLimitChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Record<string, Record<string, string>>) =>
      request<LimitTable>('/limits/', { method: 'PATCH', body: changes }),
    onSuccess: (table) => client.setQueryData(keys.limits, table),
  });
}

export const useSharing = () =>
  useQuery({
    queryKey: keys.sharing,
    queryFn: ({ signal }) => request<SharingBody>('/sharing/', { signal }),
    staleTime: 0,
  });

export function useReplaceAuthority() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<SharingBody>('/sharing/authority/', { method: 'POST' }),
    onSuccess: (sharing) => client.setQueryData(keys.sharing, sharing),
  });
}

export const useInvitations = () =>
  useQuery({ queryKey: keys.invitations, queryFn: ({ signal }) => request<Invitations>('/invitations/', { signal }) });

export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { username: string; api_group?: string }) =>
      request<CreatedInvitation>('/invitations/', { method: 'POST', body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.invitations });
      void client.invalidateQueries({ queryKey: keys.accounts });
    },
  });
}

export function useRevokeInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<void>(`/invitations/${encodeURIComponent(id)}/`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.invitations }),
  });
}

/** Every account; a laboratory has fewer than a page holds. */
export const useAccounts = () =>
  useQuery({
    queryKey: keys.accounts,
    queryFn: ({ signal }) => request<Page<Analyst>>('/analysts/', { query: { page_size: 100 }, signal }),
  });

export function useCreateAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewAnalystBody) => request<CreatedAnalyst>('/analysts/', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accounts }),
  });
}

export function useAccountChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ username, ...changes }: AnalystChangesBody & { username: string }) =>
      request<Analyst>(`/analysts/${encodeURIComponent(username)}/`, { method: 'PATCH', body: changes }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accounts }),
  });
}

/** Since when accounts have a second factor, by name; who is missing has none. */
export const useSecondFactors = () =>
  useQuery({
    queryKey: keys.secondFactors,
    queryFn: async ({ signal }) => {
      const { results } = await request<SecondFactorList>('/second_factors/', { signal });
      return new Map(results.map(({ username, confirmed_at }) => [username, confirmed_at]));
    },
    staleTime: 0,
  });

export function useSecondFactorReset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (username: string) =>
      request<void>(`/second_factors/${encodeURIComponent(username)}/`, { method: 'DELETE' }),
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
    queryFn: ({ signal }) => request<IsolationReport>('/isolation/', { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 1000 : false),
  });

export const useStorage = () =>
  useQuery({
    queryKey: keys.storage,
    queryFn: ({ signal }) => request<StorageBody>('/storage/', { signal }),
    staleTime: 0,
  });

/** Milliseconds between looks at a backup under way: it runs in a process of its own that sends no events. */
const backupInterval = 1_000;

export const useBackups = () =>
  useQuery({
    queryKey: keys.backups,
    queryFn: ({ signal }) => request<BackupList>('/backups/', { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.run?.status === 'running' ? backupInterval : false),
  });

export function useStartBackup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { passphrase?: string; with_authority: boolean }) =>
      request<z.infer<typeof backupRunSchema>>('/backups/', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.backups }),
  });
}

export function useDeleteBackup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => request<void>(`/backups/${encodeURIComponent(name)}/`, { method: 'DELETE' }),
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
    queryFn: ({ signal }) => request<z.infer<typeof deviceListSchema>>('/devices/', { signal }),
    staleTime: 0,
  });

export const useDeviceImport = () =>
  useMutation({
    mutationFn: (serial: string) =>
      request<Job>(`/devices/${encodeURIComponent(serial)}/import/`, { method: 'POST', body: {} }),
  });

export const useAudit = (username: string) =>
  useInfiniteQuery({
    queryKey: [...keys.audit, username],
    queryFn: ({ pageParam, signal }) =>
      request<Page<AuditRecordBody>>('/audit/', {
        query: { cursor: pageParam, page_size: 100, username: username === '' ? undefined : username },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => cursorOf(page.next),
    staleTime: 0,
  });
