from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_tables")]

    operations = [
        migrations.AlterField(
            "onetimelink",
            "kind",
            models.CharField(
                choices=[
                    ("account", "Account"),
                    ("password", "Password"),
                    ("administrator", "Administrator"),
                    ("sign_in", "Sign In"),
                ],
                max_length=16,
            ),
        )
    ]
