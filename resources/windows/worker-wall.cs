// Starts a program in an AppContainer without capabilities: no network, no other process, and of files those alone that are
// granted to it. Compiled by Windows PowerShell, which speaks C# 5. Knows nothing of what the program does.
//
// https://learn.microsoft.com/en-us/windows/win32/secauthz/implementing-an-appcontainer
using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.IO;
using System.Runtime.InteropServices;
using System.Security.AccessControl;
using System.Security.Principal;

public static class WorkerWall
{
    [StructLayout(LayoutKind.Sequential)]
    struct StartupInfo
    {
        public int Size;
        public IntPtr Reserved, Desktop, Title;
        public int X, Y, XSize, YSize, XCountChars, YCountChars, FillAttribute, Flags;
        public short ShowWindow, TableSize;
        // The descriptors of whoever starts a program, as C's runtime and libuv write them.
        public IntPtr Table, Input, Output, Error;
        // Of the extended form alone.
        public IntPtr Attributes;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct ProcessInformation { public IntPtr Process, Thread; public int ProcessId, ThreadId; }

    [StructLayout(LayoutKind.Sequential)]
    struct JobLimits
    {
        public long ProcessTime, JobTime;
        public uint Flags;
        public UIntPtr LeastWorkingSet, MostWorkingSet;
        public uint ActiveProcesses;
        public UIntPtr Affinity;
        public uint PriorityClass, SchedulingClass;
        public ulong ReadOperations, WriteOperations, OtherOperations, ReadBytes, WrittenBytes, OtherBytes;
        public UIntPtr ProcessMemory, JobMemory, PeakProcessMemory, PeakJobMemory;
    }

    const int UseStandardHandles = 0x100;
    const int DetachedProcess = 0x8, UnicodeEnvironment = 0x400, ExtendedStartupInfo = 0x80000;
    const int HandleList = 0x20002, SecurityCapabilities = 0x20009, JobList = 0x2000d;
    const int ExtendedLimits = 9, UiRestrictions = 4, AllUiRestrictions = 0xff;
    const uint OneProcess = 0x8, ProcessMemory = 0x100, DieOnException = 0x400, KillOnClose = 0x2000;
    const int AlreadyThere = unchecked((int)0x800700b7);
    const string Name = "ApkWorkstation.Worker";
    const FileSystemRights Reading = FileSystemRights.ReadAndExecute;

    [DllImport("userenv", CharSet = CharSet.Unicode)]
    static extern int CreateAppContainerProfile(string name, string title, string description, IntPtr capabilities, int count, out IntPtr sid);
    [DllImport("userenv", CharSet = CharSet.Unicode)]
    static extern int DeriveAppContainerSidFromAppContainerName(string name, out IntPtr sid);
    [DllImport("kernel32")]
    static extern void GetStartupInfoW(out StartupInfo info);
    [DllImport("kernel32", SetLastError = true)]
    static extern IntPtr CreateJobObjectW(IntPtr security, IntPtr name);
    [DllImport("kernel32", SetLastError = true)]
    static extern bool SetInformationJobObject(IntPtr job, int kind, ref JobLimits limits, int size);
    [DllImport("kernel32", SetLastError = true)]
    static extern bool SetInformationJobObject(IntPtr job, int kind, ref int restrictions, int size);
    [DllImport("kernel32", SetLastError = true)]
    static extern bool InitializeProcThreadAttributeList(IntPtr list, int count, int flags, ref IntPtr size);
    [DllImport("kernel32", SetLastError = true)]
    static extern bool UpdateProcThreadAttribute(IntPtr list, int flags, IntPtr attribute, IntPtr value, IntPtr size, IntPtr previous, IntPtr returned);
    [DllImport("kernel32", CharSet = CharSet.Unicode, SetLastError = true)]
    static extern bool CreateProcessW(string program, [In, Out] char[] commandLine, IntPtr process, IntPtr thread, bool inherits, int flags, IntPtr environment, string folder, ref StartupInfo startup, out ProcessInformation made);
    [DllImport("kernel32", SetLastError = true)]
    static extern uint WaitForSingleObject(IntPtr handle, uint milliseconds);
    [DllImport("kernel32", SetLastError = true)]
    static extern bool GetExitCodeProcess(IntPtr process, out int code);

    /// <summary>Runs the program to its end, with the descriptors that this process was started with. Returns its exit code.</summary>
    public static int Run(string program, string commandLine, string[] environment, string folder, string[] visible, long memory)
    {
        IntPtr container = Container();
        SecurityIdentifier identity = new SecurityIdentifier(container);
        foreach (string path in visible) Grant(path, identity);
        StartupInfo startup;
        GetStartupInfoW(out startup);
        startup.Size = Marshal.SizeOf(typeof(StartupInfo));
        startup.Flags |= UseStandardHandles;
        startup.Reserved = startup.Desktop = startup.Title = IntPtr.Zero;
        startup.Attributes = Attributes(container, Job(memory), Handles(startup));
        ProcessInformation made;
        int flags = DetachedProcess | UnicodeEnvironment | ExtendedStartupInfo;
        char[] words = (commandLine + "\0").ToCharArray();
        IntPtr block = Marshal.StringToHGlobalUni(string.Join("\0", environment) + "\0\0");
        Check(CreateProcessW(program, words, IntPtr.Zero, IntPtr.Zero, true, flags, block, folder, ref startup, out made));
        WaitForSingleObject(made.Process, 0xffffffff);
        int code;
        Check(GetExitCodeProcess(made.Process, out code));
        return code;
    }

    static void Check(bool isDone)
    {
        if (!isDone) throw new Win32Exception(Marshal.GetLastWin32Error());
    }

    static IntPtr Container()
    {
        IntPtr sid;
        int result = CreateAppContainerProfile(Name, Name, Name, IntPtr.Zero, 0, out sid);
        if (result == AlreadyThere) result = DeriveAppContainerSidFromAppContainerName(Name, out sid);
        Marshal.ThrowExceptionForHR(result);
        return sid;
    }

    // What lies in a folder, now and later, is granted with it. Programs' own folders are readable for every container.
    static void Grant(string path, SecurityIdentifier container)
    {
        bool isFolder = Directory.Exists(path);
        FileSystemSecurity security = isFolder ? (FileSystemSecurity)Directory.GetAccessControl(path, AccessControlSections.Access) : File.GetAccessControl(path, AccessControlSections.Access);
        SecurityIdentifier every = new SecurityIdentifier("S-1-15-2-1");
        foreach (FileSystemAccessRule rule in security.GetAccessRules(true, true, typeof(SecurityIdentifier)))
        {
            bool isOurs = rule.IdentityReference == container || rule.IdentityReference == every;
            if (isOurs && rule.AccessControlType == AccessControlType.Allow && (rule.FileSystemRights & Reading) == Reading) return;
        }
        InheritanceFlags within = isFolder ? InheritanceFlags.ContainerInherit | InheritanceFlags.ObjectInherit : InheritanceFlags.None;
        security.AddAccessRule(new FileSystemAccessRule(container, Reading, within, PropagationFlags.None, AccessControlType.Allow));
        if (isFolder) Directory.SetAccessControl(path, (DirectorySecurity)security);
        else File.SetAccessControl(path, (FileSecurity)security);
    }

    // The job ends with the last handle to it, which is this process's, and its program with it.
    static IntPtr Job(long memory)
    {
        IntPtr job = CreateJobObjectW(IntPtr.Zero, IntPtr.Zero);
        Check(job != IntPtr.Zero);
        JobLimits limits = new JobLimits();
        limits.Flags = OneProcess | ProcessMemory | DieOnException | KillOnClose;
        limits.ActiveProcesses = 1;
        limits.ProcessMemory = new UIntPtr((ulong)memory);
        Check(SetInformationJobObject(job, ExtendedLimits, ref limits, Marshal.SizeOf(typeof(JobLimits))));
        int restrictions = AllUiRestrictions;
        Check(SetInformationJobObject(job, UiRestrictions, ref restrictions, sizeof(int)));
        return job;
    }

    // The descriptors' handles, and no other that could be inherited: a number of them, a byte of flags and a handle for each.
    static IntPtr[] Handles(StartupInfo startup)
    {
        HashSet<IntPtr> handles = new HashSet<IntPtr> { startup.Input, startup.Output, startup.Error };
        int count = startup.TableSize < sizeof(int) ? 0 : Marshal.ReadInt32(startup.Table);
        for (int index = 0; index < count; index++)
            handles.Add(Marshal.ReadIntPtr(startup.Table, sizeof(int) + count + index * IntPtr.Size));
        handles.Remove(IntPtr.Zero);
        handles.Remove(new IntPtr(-1));
        handles.Remove(new IntPtr(-2));
        IntPtr[] list = new IntPtr[handles.Count];
        handles.CopyTo(list);
        return list;
    }

    static IntPtr Attributes(IntPtr container, IntPtr job, IntPtr[] handles)
    {
        IntPtr size = IntPtr.Zero;
        InitializeProcThreadAttributeList(IntPtr.Zero, 3, 0, ref size);
        IntPtr list = Marshal.AllocHGlobal(size);
        Check(InitializeProcThreadAttributeList(list, 3, 0, ref size));
        // The container, and a list and two numbers for capabilities, of which it has none.
        IntPtr[] capabilities = new IntPtr[2 + 2 * sizeof(int) / IntPtr.Size];
        capabilities[0] = container;
        Add(list, SecurityCapabilities, capabilities);
        Add(list, JobList, new[] { job });
        Add(list, HandleList, handles);
        return list;
    }

    // Attributes are read when the process is made: their memory lives as long as this process.
    static void Add(IntPtr list, int attribute, IntPtr[] value)
    {
        int size = value.Length * IntPtr.Size;
        IntPtr copy = Marshal.AllocHGlobal(size);
        Marshal.Copy(value, 0, copy, value.Length);
        Check(UpdateProcThreadAttribute(list, 0, new IntPtr(attribute), copy, new IntPtr(size), IntPtr.Zero, IntPtr.Zero));
    }
}
