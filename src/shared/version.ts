/** The program's version, as package.json has it (a test compares the two): what captures and exports name. */
export const VERSION = '0.1.0';
