/** Why a file cannot be opened, in one line that names it. */
export function openProblem(file: string, error: NodeJS.ErrnoException): Error {
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new Error(`no such file: ${file}`);
    case 'EISDIR':
      return directoryProblem(file);
    case 'EACCES':
    case 'EPERM':
      return new Error(`permission to read ${file} is denied`);
    default:
      return new Error(`${file} cannot be opened: ${error.message}`);
  }
}

export function directoryProblem(file: string): Error {
  return new Error(`${file} is a directory, not a capture file`);
}
