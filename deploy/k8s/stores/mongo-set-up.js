// Makes what a MongoDB with empty data lacks: the replica set (of this one member, because transactions and majority writes need
// one), its administrator, and a user for each process, who may use the database of the process and no other. Each step is left out if it
// is done, so that a start that was interrupted anywhere is finished by the next. Passwords come from the environment, where no
// process list shows them.
const processes = ['gateway', 'pricing', 'commerce', 'cart', 'events'];
const admin = db.getSiblingDB('admin');
const root = { user: process.env.MONGO_INITDB_ROOT_USERNAME, pwd: process.env.MONGO_INITDB_ROOT_PASSWORD };

const hasRoot = signIn();
try {
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: process.env.MONGO_MEMBER }] });
} catch (error) {
  if (error.codeName !== 'AlreadyInitialized') throw error;
}
while (!db.hello().isWritablePrimary) sleep(100);

if (!hasRoot) {
  // While there is no user at all, MongoDB lets its own machine make the first one.
  admin.createUser({ ...root, roles: ['root'] });
  admin.auth(root);
}
for (const name of processes) {
  const pwd = process.env[`MONGO_${name.toUpperCase()}_PASSWORD`];
  const roles = [{ role: 'readWrite', db: `event_commerce_${name}` }];
  // A password that was changed is set, too.
  if (admin.getUser(name) === null) admin.createUser({ user: name, pwd, roles });
  else admin.updateUser(name, { pwd, roles });
}

function signIn() {
  try {
    return admin.auth(root).ok === 1;
  } catch (error) {
    if (error.codeName !== 'AuthenticationFailed') throw error;
    return false;
  }
}
