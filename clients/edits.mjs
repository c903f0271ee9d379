/** The tools of coding agents by which of them names one so: reading a file, replacing a text in it, running a command. */
const TOOLS = {
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
  const tools = TOOLS[names.find((name) => Object.hasOwn(TOOLS, name))];
  const [, what, file] = /(Translate|Add).* in (\S+notes\.txt)/.exec(task) ?? [];
  if (!tools || !file) return undefined;
  const { read, replace, run } = tools;
  if (what === 'Add') return [read(file), run(`echo five >> ${file}`)];
  const append = `echo four >> ${file} && cp ${file} ${file}.copy`;
  return [read(file), replace(file, 'two', 'deux'), run(append), read(file), replace(file, 'three', 'trois'), run(`cat ${file}`)];
}
