// Which parts of the shell are open, and the state of the connection. Knows nothing of server data.
import { create } from 'zustand';
import type { StreamState } from '../api/event-stream.ts';

interface InterfaceState {
  isJobsTrayOpen: boolean;
  isHelpOpen: boolean;
  connection: StreamState;
  setJobsTrayOpen(isOpen: boolean): void;
  setHelpOpen(isOpen: boolean): void;
  setConnection(connection: StreamState): void;
}

export const useInterface = create<InterfaceState>((set) => ({
  isJobsTrayOpen: false,
  isHelpOpen: false,
  connection: 'connecting',
  setJobsTrayOpen: (isJobsTrayOpen) => set({ isJobsTrayOpen }),
  setHelpOpen: (isHelpOpen) => set({ isHelpOpen }),
  setConnection: (connection) => set({ connection }),
}));
