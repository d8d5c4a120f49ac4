// `CodeText`, loaded where it is first shown: the editor is the largest part of the interface.
import { lazy } from 'react';

export const LazyCodeText = lazy(async () => ({ default: (await import('./code-text.tsx')).CodeText }));
