// Packages of rulesets, as their page asks for them. Knows nothing of how they look.
import { ask } from './client.ts';
import { always, useAnswer, useChange } from './query-client.ts';
import { useSending } from './sending.ts';
import { uploadFile } from './upload.ts';

const packageKeys = { all: ['rule-packages'] as const, lists: ['rulesets'] as const };
/** Milliseconds. */
const importInterval = 1000;

export const useRulePackages = () =>
  useAnswer(
    packageKeys.all,
    'GET /rule-packages/',
    {},
    {
      ...always,
      refetchInterval: ({ state }) =>
        state.data?.imports.some(({ job }) => job.finished_at === null) === true ? importInterval : false,
    },
  );

/** With what its last import changed. */
export const useRulePackage = (name: string) =>
  useAnswer([...packageKeys.all, name], 'GET /rule-packages/<name>/', { name }, always);

export const useSwitchPackage = () =>
  useChange(
    ({ name, isEnabled }: { name: string; isEnabled: boolean }) =>
      ask('PATCH /rule-packages/<name>/', { name, body: { is_enabled: isEnabled } }),
    packageKeys.all,
    packageKeys.lists,
  );

export const useRemovePackage = () =>
  useChange((name: string) => ask('DELETE /rule-packages/<name>/', { name }), packageKeys.all, packageKeys.lists);

/** What an import would change. @param job the id of the job that found it */
export const usePackagePreview = (job: string) =>
  useAnswer([...packageKeys.all, 'preview', job], 'GET /rule-packages/previews/<id>/', { id: job }, always);

export const useImportPreviewed = () =>
  useChange((id: string) => ask('POST /rule-packages/previews/<id>/', { id }), packageKeys.all);

export const useDiscardPreviewed = () =>
  useChange((id: string) => ask('DELETE /rule-packages/previews/<id>/', { id }), packageKeys.all);

interface SentPackage {
  file: File;
  name: string;
  source: string;
  isEnabled: boolean;
  isPublic: boolean;
  isPreview: boolean;
}

export const useImportPackage = () =>
  useSending(({ file, name, source, isEnabled, isPublic, isPreview }: SentPackage, handlers) => {
    const said = { name, source, file_name: file.name, is_enabled: isEnabled, is_public: isPublic };
    const query = { ...said, preview: isPreview };
    return uploadFile('POST /rule-packages/', query, file, handlers);
  }, packageKeys.all);
