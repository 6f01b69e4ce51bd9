/* `npm run bench -- NAME [ARGUMENTS]` runs the bench of that name in this folder. */
const [name = ""] = process.argv.splice(2, 1);
void import(`./${name}.ts`);
