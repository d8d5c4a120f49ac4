// What the owner's screens ask of the server and change there. Knows nothing of how answers are shown.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { KnownKind } from '../../server/contract/catalogue/known.ts';
import type { AnalystChangesBody, ApiGroup, NewAnalystBody } from '../../server/contract/people/analyst.ts';
import type { NewCollection, ReadCollection } from '../../server/contract/workstation/collection.ts';
import type { NewImport } from '../../server/contract/workstation/import.ts';
import type { LabMachine } from '../../server/contract/workstation/lab.ts';
import type { SettingChangesBody } from '../../server/contract/workstation/settings.ts';
import type { NewWatchedFolder, WatchedFolderChanges } from '../../server/contract/workstation/watched-folder.ts';
import { ask } from './client.ts';
import { always, askAnew, queryClient, toldByForm, useAnswer, useChange, useCursorList } from './query-client.ts';
import { useSending } from './sending.ts';
import { uploadFile } from './upload.ts';

const keys = {
  settings: ['settings'] as const,
  limits: ['limits'] as const,
  sharing: ['sharing'] as const,
  invitations: ['invitations'] as const,
  storage: ['storage'] as const,
  backups: ['backups'] as const,
  backupSchedule: ['backup-schedule'] as const,
  devices: ['devices'] as const,
  signers: ['signers'] as const,
  knownLists: ['known-lists'] as const,
  libraries: ['libraries'] as const,
  watchedFolders: ['watched-folders'] as const,
  imports: ['imports'] as const,
  importRefusals: ['import-refusals'] as const,
  collections: ['collections'] as const,
  lab: ['lab'] as const,
  accounts: ['accounts'] as const,
  secondFactors: ['second-factors'] as const,
};

export const useSettings = () => useAnswer(keys.settings, 'GET /settings/');

export const useSettingChange = () =>
  useMutation({
    mutationFn: (changes: SettingChangesBody) => ask('PATCH /settings/', { body: changes }),
    onSuccess: (settings) => {
      queryClient.setQueryData(keys.settings, settings);
      void askAnew(keys.sharing, keys.storage, keys.backupSchedule, keys.devices, keys.lab, ['health']);
    },
    meta: toldByForm,
  });

export const useLimits = () => useAnswer(keys.limits, 'GET /limits/');

export const useLimitChange = () =>
  useMutation({
    mutationFn: (changes: Record<string, Record<string, string>>) => ask('PATCH /limits/', { body: changes }),
    onSuccess: (table) => queryClient.setQueryData(keys.limits, table),
    meta: toldByForm,
  });

export const useSharing = () => useAnswer(keys.sharing, 'GET /sharing/', {}, always);

export const useReplaceAuthority = () =>
  useMutation({
    mutationFn: () => ask('POST /sharing/authority/'),
    onSuccess: (sharing) => queryClient.setQueryData(keys.sharing, sharing),
  });

export const useInvitations = () => useAnswer(keys.invitations, 'GET /invitations/');
export const useInvite = () =>
  useChange(
    (body: { username: string; api_group?: ApiGroup }) => ask('POST /invitations/', { body }),
    keys.invitations,
    keys.accounts,
  );
export const useRevokeInvitation = () =>
  useChange((id: string) => ask('DELETE /invitations/<id>/', { id }), keys.invitations);

/** Every account; a laboratory has fewer than a page holds. */
export const useAccounts = () => useAnswer(keys.accounts, 'GET /analysts/', { query: { page_size: 100 } });
export const useCreateAccount = () =>
  useChange((body: NewAnalystBody) => ask('POST /analysts/', { body }), keys.accounts);
export const useAccountChange = () =>
  useChange(
    ({ username, ...body }: AnalystChangesBody & { username: string }) =>
      ask('PATCH /analysts/<username>/', { username, body }),
    keys.accounts,
  );
export const usePasswordReset = () =>
  useChange((username: string) => ask('POST /analysts/<username>/password/', { username }), keys.accounts);

/** Since when accounts have a second factor, by name; who is missing has none. */
export const useSecondFactors = () =>
  useQuery({
    queryKey: keys.secondFactors,
    queryFn: async ({ signal }) => {
      const { results } = await ask('GET /second_factors/', { signal });
      return new Map(results.map(({ username, confirmed_at }) => [username, confirmed_at]));
    },
    ...always,
  });

export const useSecondFactorReset = () =>
  useChange((username: string) => ask('DELETE /second_factors/<username>/', { username }), keys.secondFactors, [
    'second-factor',
  ]);

/** Asked again while it is measured, which takes some seconds. */
export const useIsolation = () =>
  useAnswer(
    ['isolation'],
    'GET /isolation/',
    {},
    { refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 1000 : false) },
  );

export const useStorage = () => useAnswer(keys.storage, 'GET /storage/', {}, always);

/** Milliseconds between looks at a backup under way: it runs in a process of its own that sends no events. */
const backupInterval = 1_000;

export const useBackups = () =>
  useAnswer(
    keys.backups,
    'GET /backups/',
    {},
    {
      ...always,
      refetchInterval: ({ state }) => (state.data?.run?.status === 'running' ? backupInterval : false),
    },
  );
export const useStartBackup = () =>
  useChange((body: { passphrase?: string; with_authority: boolean }) => ask('POST /backups/', { body }), keys.backups);

export const useBackupSchedule = () =>
  useAnswer(
    keys.backupSchedule,
    'GET /backup-schedule/',
    {},
    {
      ...always,
      refetchInterval: ({ state }) => (state.data?.progress != null ? backupInterval : 30 * backupInterval),
    },
  );
export const useScheduledBackup = () => useChange(() => ask('POST /backup-schedule/', {}), keys.backupSchedule);
export const useDeleteBackup = () =>
  useChange((name: string) => ask('DELETE /backups/<name>/', { name }), keys.backups);

export const useSigners = (page: number) =>
  useAnswer([...keys.signers, page], 'GET /signers/', { query: { page, page_size: 50 } }, always);

/** Marks of many APKs change with it. */
export const useSignerJudgement = () =>
  useChange(
    ({ sha256, word }: { sha256: string; word: KnownKind | 'none' }) =>
      ask('PATCH /signers/<sha256>/', { sha256, body: { is_trusted: word === 'good', is_bad: word === 'bad' } }),
    keys.signers,
    ['catalogue-head'],
    ['apk'],
  );

/** Milliseconds between looks at an import under way. */
const importInterval = 500;

export const useKnownLists = () =>
  useAnswer(
    keys.knownLists,
    'GET /known_lists/',
    {},
    {
      ...always,
      refetchInterval: ({ state }) => (state.data?.job?.finished_at === null ? importInterval : false),
    },
  );
export const useDeleteKnownList = () =>
  useChange((name: string) => ask('DELETE /known_lists/<name>/', { name }), keys.knownLists);

export const useImportKnownList = () =>
  useSending(
    ({ file, name, kind }: { file: File; name: string; kind: KnownKind }, handlers) =>
      uploadFile('POST /known_lists/', { name, kind, source: file.name }, file, handlers),
    keys.knownLists,
  );

export const useLibraries = () =>
  useAnswer(
    keys.libraries,
    'GET /libraries/',
    {},
    {
      ...always,
      refetchInterval: ({ state }) =>
        state.data?.imports.some(({ job }) => job.finished_at === null) === true ? importInterval : false,
    },
  );
export const useRemoveLibrary = () =>
  useChange((name: string) => ask('DELETE /libraries/<name>/', { name }), keys.libraries);

/** One file after the other. */
export const useImportLibraries = () =>
  useSending(async (given: { files: readonly File[]; name: string; version: string }, { onProgress, signal }) => {
    const { files, name, version } = given;
    for (const [index, file] of files.entries()) {
      const onFile = (fraction: number) => onProgress((index + fraction) / files.length);
      await uploadFile('POST /libraries/', { name, version, source: file.name }, file, { onProgress: onFile, signal });
    }
  }, keys.libraries);

/** They change by themselves, and nothing tells of it. */
const watchInterval = 3_000;

export const useWatchedFolders = () =>
  useAnswer(keys.watchedFolders, 'GET /watched-folders/', {}, { ...always, refetchInterval: watchInterval });
export const useWatchedFiles = (id: string, isRefused: boolean) =>
  useAnswer(
    [...keys.watchedFolders, id, isRefused],
    'GET /watched-folders/<id>/files/',
    { id, query: isRefused ? { is_refused: true } : {} },
    { ...always, refetchInterval: watchInterval },
  );
export const useNewWatchedFolder = () =>
  useMutation({
    mutationFn: (body: NewWatchedFolder) => ask('POST /watched-folders/', { body }),
    onSuccess: () => void askAnew(keys.watchedFolders),
    meta: toldByForm,
  });
export const useWatchedFolderChange = () =>
  useMutation({
    mutationFn: ({ id, changes }: { id: string; changes: WatchedFolderChanges }) =>
      ask('PATCH /watched-folders/<id>/', { id, body: changes }),
    onSuccess: () => void askAnew(keys.watchedFolders),
  });
export const useRemoveWatchedFolder = () =>
  useChange((id: string) => ask('DELETE /watched-folders/<id>/', { id }), keys.watchedFolders);
export const useRetryWatchedFiles = () =>
  useChange((id: string) => ask('POST /watched-folders/<id>/retry/', { id }), keys.watchedFolders);

/** Milliseconds between looks at imports of files while one runs. */
const filesInterval = 1_000;

export const useImports = () =>
  useAnswer(
    keys.imports,
    'GET /imports/',
    {},
    {
      ...always,
      refetchInterval: ({ state: { data } }) =>
        data?.results.some(({ state }) => state === 'running') === true ? filesInterval : false,
    },
  );
/** @param count how many there are, by the import */
export const useImportRefusals = (id: string, count: number) =>
  useCursorList([...keys.importRefusals, id, count], ({ query, signal }) =>
    ask('GET /imports/<id>/refused/', { id, query, signal }),
  );
export const useNewImport = () =>
  useMutation({
    mutationFn: (body: NewImport) => ask('POST /imports/', { body }),
    onSuccess: () => void askAnew(keys.imports),
    meta: toldByForm,
  });
export const useImportState = () =>
  useChange(
    ({ id, state }: { id: string; state: 'running' | 'stopped' }) =>
      ask('PATCH /imports/<id>/', { id, body: { state } }),
    keys.imports,
  );
export const useRetryImport = () => useChange((id: string) => ask('POST /imports/<id>/retry/', { id }), keys.imports);
export const useRemoveImport = () => useChange((id: string) => ask('DELETE /imports/<id>/', { id }), keys.imports);

export const useCollections = () =>
  useAnswer(
    keys.collections,
    'GET /collections/',
    {},
    {
      ...always,
      refetchInterval: ({ state: { data } }) =>
        data?.results.some(({ state }) => state === 'running') === true ? filesInterval : false,
    },
  );
export const useWriteCollection = () =>
  useMutation({
    mutationFn: (body: NewCollection) => ask('POST /collections/write/', { body }),
    onSuccess: () => void askAnew(keys.collections),
    meta: toldByForm,
  });
export const useReadCollection = () =>
  useMutation({
    mutationFn: (body: ReadCollection) => ask('POST /collections/read/', { body }),
    onSuccess: () => void askAnew(keys.collections),
    meta: toldByForm,
  });

/** Milliseconds between looks at other machines, which speak every two seconds. */
const labInterval = 2_000;

export const useLab = () => useAnswer(keys.lab, 'GET /lab/machines/', {}, { ...always, refetchInterval: labInterval });
export const useInviteMachine = () => useChange(() => ask('POST /lab/invitations/'));
export const useMachineState = () =>
  useChange(
    ({ id, state }: { id: string; state: LabMachine['state'] }) =>
      ask('PATCH /lab/machines/<id>/', { id, body: { state } }),
    keys.lab,
  );
export const useRemoveMachine = () => useChange((id: string) => ask('DELETE /lab/machines/<id>/', { id }), keys.lab);

export const useDevices = () => useAnswer(keys.devices, 'GET /devices/', {}, always);
export const useDeviceImport = () =>
  useChange((serial: string) => ask('POST /devices/<serial>/import/', { serial, body: {} }));

export type AuditFilter = Record<'username' | 'action' | 'from' | 'to', string>;

export const useAudit = (filter: AuditFilter) =>
  useCursorList(['audit', filter], ({ query, signal }) =>
    ask('GET /audit/', { query: { ...query, ...filter }, signal }),
  );
