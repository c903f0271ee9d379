/** The tools of coding agents by the first of these names that they offer: reading a file, replacing a text in it, running a command. */
const TOOLS = {
  /** Codex. */
  exec_command: {
    read: (file) => ['exec_command', { cmd: `cat ${file}` }],
    replace: (file, old, replacement) => ['exec_command', { cmd: patch(file, old, replacement) }],
    run: (cmd) => ['exec_command', { cmd }],
  },
  /** Claude Code. */
  ToolSearch: {
    read: (file_path) => ['Read', { file_path }],
    replace: (file_path, old_string, new_string) => ['Edit', { file_path, old_string, new_string }],
    run: (command) => ['Bash', { command, description: 'Runs a command' }],
  },
  /** opencode. */
  read: {
    read: (filePath) => ['read', { filePath }],
    replace: (filePath, oldString, newString) => ['edit', { filePath, oldString, newString }],
    run: (command) => ['bash', { command, description: 'Runs a command' }],
  },
  /** Cline. */
  read_files: {
    read: (path) => ['read_files', { files: [{ path }] }],
    replace: (path, old_text, new_text) => ['editor', { path, old_text, new_text }],
    run: (command) => ['run_commands', { commands: [command] }],
  },
  /** Continue. */
  Read: {
    read: (filepath) => ['Read', { filepath }],
    replace: (file_path, old_string, new_string) => ['Edit', { file_path, old_string, new_string }],
    run: (command) => ['Bash', { command }],
  },
};

/** The calls, as name and arguments, with which an agent that has these tools does the task; undefined without a task. */
export function editWith(names, task) {
  const tools = TOOLS[Object.keys(TOOLS).find((name) => names.includes(name))];
  const [, what, file] = /(Translate|Add).* in (\S+notes\.txt)/.exec(task) ?? [];
  if (!tools || !file) return undefined;
  const { read, replace, run } = tools;
  if (what === 'Add') return [read(file), run(`echo five >> ${file}`), read(file), run(`cat ${file}`)];
  const append = `echo four >> ${file} && cp ${file} ${file}.copy`;
  return [read(file), replace(file, 'two', 'deux'), run(append), read(file), replace(file, 'three', 'trois'), run(`cat ${file}`)];
}

/** Codex's own form of changes, which it takes from a command. */
function patch(file, old, replacement) {
  return `apply_patch <<'END'\n*** Begin Patch\n*** Update File: ${file}\n@@\n-${old}\n+${replacement}\n*** End Patch\nEND`;
}
